public let nameCommon = "Common"
