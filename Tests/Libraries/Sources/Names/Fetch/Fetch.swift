public let nameFetch = "Fetch"
