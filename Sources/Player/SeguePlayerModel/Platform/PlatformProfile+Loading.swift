extension PlatformProfile {
    /// Requests, buffering, and the choice of variants.
    package final class Loading: FieldSection {
        package let buffering = Buffering()
        package let starting = Starting()
        package let requesting = Requesting()
        package let files = Files()
        package let failing = Failing()
        package let reporting = Reporting()
        package let adapting = Adapting()
        package let support = Support()
        package let airplay = AirPlay()

        package init() {}
    }
}
