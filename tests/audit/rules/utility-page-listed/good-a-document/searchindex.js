Search.setIndex({"alltitles":{},"docnames":["genindex","guide/index"]})
