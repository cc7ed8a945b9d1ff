package let nameCommon = "Common"
