internal import Foundation
internal import SegueBase
internal import SegueFetch
internal import SeguePlayerModel
internal import SeguePlaylists

/// The responses of a file's server as far as cases need them: complete playlists, and the size and inspection of
/// media.
struct StoredResponses: Codable, Equatable {
    private struct Answer: Codable, Equatable {
        var url: String
        /// The requested range; nil for the whole.
        var offset: Int64?
        var length: Int64?
        var requestFields: [String]
        var status: Int
        /// The header fields: names and values in turn.
        var fields: [String]
        var address: String
        var count: Int
        /// The body of a playlist; nil for media.
        var playlist: Data?
        var findings: [Finding]
    }

    /// The inspection of a segment.
    private struct Finding: Codable, Equatable {
        /// The index of its initialization section; nil without one.
        var initialization: Int?
        var inspection: SegmentInspection?
        var error: SegmentError?
    }

    private var answers: [Answer] = []
    private var initializations: [SegmentInspection] = []

    init() {}

    /// The cached responses, except media that were never inspected.
    init(_ kept: ServerResponseCache) {
        for (question, answer) in kept.all {
            let fields = answer.response.headers
            let isPlaylist = fields.contains { $0.name == "content-type" && $0.value.contains("mpegurl") }
            let findings = SegmentFinding.all(of: answer.body)
            guard isPlaylist || !findings.isEmpty else { continue }
            answers.append(
                Answer(
                    url: question.url,
                    offset: question.range?.offset,
                    length: question.range?.length,
                    requestFields: question.headers,
                    status: answer.response.status,
                    fields: fields.flatMap { [$0.name, $0.value] },
                    address: answer.response.serverAddress,
                    count: answer.body.count,
                    playlist: isPlaylist ? Data(answer.body.bytes) : nil,
                    findings: findings.map { remembered($0) }
                )
            )
        }
        answers.sort {
            ($0.url, $0.offset ?? -1, $0.requestFields.joined()) < ($1.url, $1.offset ?? -1, $1.requestFields.joined())
        }
    }

    /// The number of stored facts, which only grows while a server responds.
    var extent: Int { answers.count + answers.reduce(0) { $0 + $1.findings.count } }

    private mutating func remembered(_ finding: SegmentFinding) -> Finding {
        var place: Int?
        if let initialization = finding.initialization {
            place = initializations.firstIndex(of: initialization) ?? initializations.count
            if place == initializations.count { initializations.append(initialization) }
        }
        switch finding.result {
        case .success(let inspection): return Finding(initialization: place, inspection: inspection)
        case .failure(let error): return Finding(initialization: place, error: error)
        }
    }

    /// Adds the responses to a cache.
    ///
    /// `make` makes the body of media again when its bytes are needed.
    func tell(_ kept: ServerResponseCache, makingAgain make: @escaping @Sendable (FetchRequest) -> [UInt8]) {
        for answer in answers {
            var range: FetchRange?
            if let offset = answer.offset, let length = answer.length {
                range = FetchRange(offset: offset, length: length)
            }
            let question = ServerResponseCache.Question(url: answer.url, range: range, headers: answer.requestFields)
            let again: @Sendable () -> [UInt8] = { make(question.request) }
            let body =
                answer.playlist.map { bytes in SharedBytes([UInt8](bytes), makingAgain: again) }
                ?? SharedBytes(count: answer.count, makingAgain: again)
            for finding in answer.findings { read(finding)?.tell(body) }
            let fields = stride(from: 0, to: answer.fields.count - 1, by: 2).map {
                (answer.fields[$0], answer.fields[$0 + 1])
            }
            let response = FetchResponse(
                status: answer.status,
                headers: fields,
                url: answer.url,
                serverAddress: answer.address
            )
            kept.learn((response, body), to: question)
        }
    }

    private func read(_ finding: Finding) -> SegmentFinding? {
        var initialization: SegmentInspection?
        if let place = finding.initialization {
            guard initializations.indices.contains(place) else { return nil }
            initialization = initializations[place]
        }
        if let inspection = finding.inspection {
            return SegmentFinding(initialization: initialization, result: .success(inspection))
        }
        return finding.error.map { SegmentFinding(initialization: initialization, result: .failure($0)) }
    }
}
