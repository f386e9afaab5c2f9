<xsl:stylesheet/>
