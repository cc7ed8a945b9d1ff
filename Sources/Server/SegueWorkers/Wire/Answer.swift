import SegueBase
import SegueFFmpeg
import SegueOrigin
import SeguePackager

/// The answer of a worker, without its bytes.
struct Answer: Codable, Sendable {
    enum Failure: Codable, Sendable {
        case packaging(PackagingError)
        case media(MediaError)
        case origin(status: Int, code: String, message: String)

        /// Creates the failure for any error of a worker.
        init(_ error: any Error, file: String) {
            switch error {
            case let error as OriginFailure:
                self = .origin(status: error.status, code: error.code, message: error.message)
            case let error as MediaError: self = .media(error)
            default: self = .packaging(PackagingError.wrapping(error, file: file))
            }
        }

        /// The error for the server's file, with a bounded message.
        func error(file: String) -> any Error {
            switch self {
            case .packaging(let error):
                // A worker must not claim what only the server decides.
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
                    message: ErrorSentence(verbatim: Self.short(message))
                )
            }
        }

        private static func short(_ text: String) -> String { String(text.prefix(1000)) }
    }

    struct KeyFrame: Codable, Sendable {
        var segment: Int
        var duration: Rational
    }

    var failure: Failure?
    var facts: PresentationFacts?
    var look: MediaDescription?
    var streams: [StreamInfo]?
    var keyframes: [KeyFrame]?
    var description: RenditionDescription?
    var extent: RenditionExtent?
    var isEncoded: Bool?
    /// True if a played file has audio.
    var isHeard: Bool?
    /// The audio streams that turned out to be unservable.
    var refusedAudio: [Int: PackagingError]?
}

extension PresentationFacts {
    /// True if all numbers are in ranges that callers can compute with.
    var isValid: Bool {
        !containers.isEmpty && Set(source.streams.map(\.index)).count == source.streams.count
    }
}

extension RenditionExtent {
    func fits(_ plan: SegmentPlan) -> Bool { (0...plan.segments.count).contains(segmentCount) }
}

extension RenditionDescription {
    /// Returns true if it matches a plan, and no sum of its numbers overflows.
    func fits(_ plan: SegmentPlan) -> Bool {
        let sane = 0...(1 << 48)
        return extent.fits(plan) && sane.contains(peakBandwidth) && sane.contains(averageBandwidth)
            && tracks.allSatisfy { sane.contains($0.estimatedBitsPerSecond) }
    }
}
