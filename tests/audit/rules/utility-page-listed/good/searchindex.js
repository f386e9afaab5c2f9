Search.setIndex({})
