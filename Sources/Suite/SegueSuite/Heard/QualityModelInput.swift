/// The input of the parametric model ITU-T P.1203, mode 0, in the format of the reference implementation.
///
/// Rates are in kbit/s, times in seconds of played media. The first stalling entry is the initial loading, at 0.
/// Format: https://github.com/itu-p1203/itu-p1203, README and `examples/mode0.json`.
package struct QualityModelInput: Sendable, Equatable, Encodable {
    struct Audio: Sendable, Equatable, Encodable {
        var bitrate: Double
        var codec: String
        var start: Double
        var duration: Double
    }

    struct Video: Sendable, Equatable, Encodable {
        var bitrate: Double
        var codec: String
        var start: Double
        var duration: Double
        var fps: Double
        var resolution: String
    }

    /// A list of segments under the model's name for it.
    struct Stream<Segment: Sendable & Equatable & Encodable>: Sendable, Equatable, Encodable {
        var segments: [Segment] = []
        var streamId = 1
    }

    /// The initial loading and the stalls.
    struct Stalling: Sendable, Equatable, Encodable {
        /// The position in the played media and the duration of each.
        var stalling: [[Double]] = []
        var streamId = 1
    }

    /// The display; these are the values of the reference implementation's example.
    struct General: Sendable, Equatable, Encodable {
        var device = "pc"
        var displaySize = "1920x1080"
        var viewingDistance = "150cm"
    }

    var audio = Stream<Audio>()
    var video = Stream<Video>()
    var stalling = Stalling()
    var general = General()

    private enum CodingKeys: String, CodingKey {
        case audio = "I11"
        case video = "I13"
        case stalling = "I23"
        case general = "IGen"
    }
}
