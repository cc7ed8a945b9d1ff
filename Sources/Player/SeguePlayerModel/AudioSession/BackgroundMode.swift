/// A service of an app in the background, as `UIBackgroundModes` in Info.plist names it.
package enum BackgroundMode: String, FieldChoice {
    case audio, location, voip, fetch, processing
    case remoteNotification = "remote-notification"
    case externalAccessory = "external-accessory"
    case bluetoothCentral = "bluetooth-central"
    case bluetoothPeripheral = "bluetooth-peripheral"
    case newsstandContent = "newsstand-content"

    package var meaning: String {
        switch self {
        case .audio: "The app plays audio in the background."
        case .location, .voip, .fetch, .processing, .remoteNotification, .externalAccessory, .bluetoothCentral,
            .bluetoothPeripheral, .newsstandContent:
            "No effect on playback in this model."
        }
    }
}
