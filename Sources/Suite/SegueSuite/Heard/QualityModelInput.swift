/// What the parametric model of ITU-T P.1203 takes in its mode 0, in the layout of the reference implementation.
///
/// Rates are kbit/s, times are seconds of played media. The first entry of the stalling is the initial loading, at 0.
/// Layout: https://github.com/itu-p1203/itu-p1203, README and `examples/mode0.json`.
package struct QualityModelInput: Sendable, Equatable, Encodable {
    /// Sound that was played.
    struct Sound: Sendable, Equatable, Encodable {
        var bitrate: Double
        var codec: String
        var start: Double
        var duration: Double
    }

    /// Pictures that were played.
    struct Pictures: Sendable, Equatable, Encodable {
        var bitrate: Double
        var codec: String
        var start: Double
        var duration: Double
        var fps: Double
        var resolution: String
    }

    /// A list of segments under the name that the model gives it.
    struct Stream<Segment: Sendable & Equatable & Encodable>: Sendable, Equatable, Encodable {
        var segments: [Segment] = []
        var streamId = 1
    }

    /// Initial loading and stalls.
    struct Stalling: Sendable, Equatable, Encodable {
        /// The place in the played media and the length of each.
        var stalling: [[Double]] = []
        var streamId = 1
    }

    /// On what it was watched; the values of the reference implementation's example.
    struct General: Sendable, Equatable, Encodable {
        var device = "pc"
        var displaySize = "1920x1080"
        var viewingDistance = "150cm"
    }

    /// The sound.
    var sound = Stream<Sound>()
    /// The pictures.
    var pictures = Stream<Pictures>()
    /// The stalling.
    var stalling = Stalling()
    /// The viewer.
    var general = General()

    private enum CodingKeys: String, CodingKey {
        case sound = "I11"
        case pictures = "I13"
        case stalling = "I23"
        case general = "IGen"
    }
}
