package let namePage = "Page"
