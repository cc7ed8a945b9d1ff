public let nameCharts = "Charts"
