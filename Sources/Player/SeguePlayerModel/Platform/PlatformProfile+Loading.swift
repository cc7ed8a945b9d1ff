extension PlatformProfile {
    /// Requests, buffering, and the choice of variants.
    package final class Loading: FieldSection {
        package let buffering = Buffering()
        package let starting = Starting()
        package let requesting = Requesting()
        package let failing = Failing()
        package let adapting = Adapting()
        package let support = Support()

        package init() {}
    }
}
