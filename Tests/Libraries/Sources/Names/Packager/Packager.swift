public let namePackager = "Packager"
