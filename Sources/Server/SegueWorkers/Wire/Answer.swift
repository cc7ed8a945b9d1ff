import SegueBase
import SegueFFmpeg
import SegueOrigin
import SeguePackager

/// What a worker answers, besides bytes.
struct Answer: Codable, Sendable {
    /// Why there is no answer.
    enum Failure: Codable, Sendable {
        case packaging(PackagingError)
        case media(MediaError)
        case origin(status: Int, code: String, message: String)

        /// Any error that meets a worker.
        init(_ error: any Error, file: String) {
            switch error {
            case let error as OriginFailure:
                self = .origin(status: error.status, code: error.code, message: error.message)
            case let error as MediaError: self = .media(error)
            default: self = .packaging(PackagingError.wrapping(error, file: file))
            }
        }

        /// The error that it stands for, about a file that the server knows, and no longer than it need be.
        func error(file: String) -> any Error {
            switch self {
            case .packaging(let error):
                // What only the server may say is not believed.
                let reason = error.reason == .setAside ? .broken : error.reason
                return PackagingError(reason, file: file, Self.short(error.message))
            case .media(let error):
                return MediaError(
                    call: Self.short(error.call),
                    file: file,
                    code: error.code,
                    message: Self.short(error.message)
                )
            case .origin(let status, let code, let message):
                return OriginFailure(
                    status: (400...499).contains(status) ? status : 500,
                    code: Self.short(code),
                    message: Self.short(message)
                )
            }
        }

        private static func short(_ text: String) -> String { String(text.prefix(1000)) }
    }

    /// A picture for searching.
    struct KeyPicture: Codable, Sendable {
        var segment: Int
        var duration: Rational
    }

    var failure: Failure?
    var facts: PresentationFacts?
    var look: MediaDescription?
    var streams: [StreamInfo]?
    var keyframes: [KeyPicture]?
    var description: RenditionDescription?
    var extent: RenditionExtent?
    var isEncoded: Bool?
    /// Whether a file that was played has sound.
    var isHeard: Bool?
    /// Streams of sound that turned out not to be served.
    var refusedSounds: [Int: PackagingError]?
}

extension PresentationFacts {
    /// Whether numbers in it are such that those who use them cannot go wrong.
    var isSound: Bool {
        !containers.isEmpty && Set(source.streams.map(\.index)).count == source.streams.count
    }
}

extension RenditionExtent {
    /// Whether it is of a plan.
    func fits(_ plan: SegmentPlan) -> Bool { (0...plan.segments.count).contains(segmentCount) }
}

extension RenditionDescription {
    /// Whether it is of a plan, and none of its numbers so great that adding some of them up goes wrong.
    func fits(_ plan: SegmentPlan) -> Bool {
        let sane = 0...(1 << 48)
        return extent.fits(plan) && sane.contains(peakBandwidth) && sane.contains(averageBandwidth)
            && tracks.allSatisfy { sane.contains($0.estimatedBitsPerSecond) }
    }
}
