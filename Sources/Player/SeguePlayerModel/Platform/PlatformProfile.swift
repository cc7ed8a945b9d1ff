package import SegueData

// Size: one property with its documentation for each field of a platform's file, in sections.
/// The behavior of one version of a platform toward a player, read from a file under `Harness/platforms`.
package struct PlatformProfile: FieldGroup {
    /// The name in options and reports, such as `ios-4.3`.
    package private(set) var name = ""

    /// The name for people.
    package private(set) var title = ""

    /// The version of the operating system; nil for a library that runs on several.
    package private(set) var system: SystemVersion?

    /// The source of each field, by its full key, such as `service.lingers`.
    package private(set) var sources: [String: String] = [:]

    @ProfileField("players", .words(), meaning: "The kinds of player that apps can create.")
    package var players: [PlayerKind]

    @ProfileSection("lifecycle", meaning: "The times between the phases of leaving an app and returning to it.")
    package var lifecycle: Lifecycle

    @ProfileSection(
        "background",
        meaning: "Playback while the app is in the background.",
        replaced: ["absent-layer-helps": "pauses-without-layer and judges-without-layer"]
    )
    package var background: Background

    @ProfileSection(
        "service",
        meaning: "The media service: the process of the platform that carries out the requests of players.",
        replaced: ["latency": "judges-after and lingers"]
    )
    package var service: Service

    @ProfileSection("audio-session", meaning: "The audio sessions of apps, and their background modes.")
    package var audioSession: AudioSession

    @ProfileSection("loading", meaning: "Requests, buffering, and the choice of variants.")
    package var loading: Loading

    @ProfileSection("playback", meaning: "Player behavior that differs between versions or is not documented.")
    package var playback: Playback

    package init() {}

    /// A kind of player that a platform offers.
    package enum PlayerKind: String, FieldChoice {
        case moviePlayer = "movie-player"
        case queuePlayer = "queue-player"

        package var meaning: String {
            switch self {
            case .moviePlayer: "`MPMoviePlayerController`, which plays one item and has no queue."
            case .queuePlayer: "`AVQueuePlayer`."
            }
        }
    }
}

extension PlatformProfile {
    /// Reads a file; the one in `based-on` lies beside it or in the folder.
    ///
    /// - Throws: ``HarnessError`` with file, line, and key.
    package init(contentsOfFile path: String, in harness: HarnessFolder? = nil) throws(HarnessError) {
        try self.init(HarnessFile.fields(ofFileAt: path, basedOn: .platforms, in: harness), in: harness)
    }

    /// Reads the text of a file; the one in `based-on` lies beside it or in the folder.
    ///
    /// - Throws: ``HarnessError`` with file, line, and key.
    package init(yaml: String, file: String, in harness: HarnessFolder? = nil) throws(HarnessError) {
        try self.init(HarnessFile.fields(of: yaml, file: file, basedOn: .platforms, in: harness), in: harness)
    }

    private init(_ source: HarnessFields, in harness: HarnessFolder?) throws(HarnessError) {
        var file = source
        if let text = try file.text("system") {
            guard let version = SystemVersion(text) else {
                throw file.error("system", "is \(text), must be a name and a version such as iOS 4.3")
            }
            system = version
        }
        let keys = ["name", "title", "system"] + fields.map(\.key) + sections.map(\.key)
        var reader = FieldReader(file, keys: keys) {
            HarnessFile.example(of: .platforms, beside: source.file, in: harness)
        }
        name = try reader.text("name")
        title = try reader.text("title")
        try read(from: &reader)
        for section in sections { try section.read(from: &reader) }
        try reader.finish()
        sources = reader.sources
    }
}
