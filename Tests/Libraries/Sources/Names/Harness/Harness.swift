package let nameHarness = "Harness"
