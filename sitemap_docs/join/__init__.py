"""One sitemap over a tree of builds."""
