package let nameRecordings = "Recordings"
