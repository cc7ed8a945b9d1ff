public let nameRecordings = "Recordings"
