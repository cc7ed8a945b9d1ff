package let nameCharts = "Charts"
