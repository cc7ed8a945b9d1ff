extension PlatformProfile {
    /// Playback on an AirPlay receiver.
    package final class AirPlay: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField("airplay", .word, meaning: "The loader of items with video while they play over AirPlay.")
        package var loader: AirPlayLoader

        package init() {}
    }

    /// The loader of items with video while they play over AirPlay.
    package enum AirPlayLoader: String, FieldChoice {
        case device
        case receiver

        package var meaning: String {
            switch self {
            case .device: "The device, which sends them to the receiver."
            case .receiver:
                """
                The receiver, which requests the URL of the item again, without the header fields of the app. Media \
                that the device has loaded are not used.
                """
            }
        }
    }
}
