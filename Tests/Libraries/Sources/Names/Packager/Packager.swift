package let namePackager = "Packager"
