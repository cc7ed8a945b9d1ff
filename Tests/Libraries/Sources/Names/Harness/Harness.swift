public let nameHarness = "Harness"
