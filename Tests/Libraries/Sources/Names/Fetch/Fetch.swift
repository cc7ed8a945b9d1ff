package let nameFetch = "Fetch"
