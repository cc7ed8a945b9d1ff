import HTTPTypes
import SegueOrigin

extension OriginResponse {
    /// A `/health` response reduced to its first line, for clients without a key.
    var withoutReport: OriginResponse {
        guard case .bytes(let bytes) = body, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return self }
        return with(Array(bytes[...end]))
    }

    /// A `/health` response with the state of the workers.
    func adding(_ report: WorkReport) -> OriginResponse {
        guard status == 200, case .bytes(let bytes) = body else { return self }
        let rest = bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
        return with(Array("\(report.isFree ? "ok" : "busy")\n\(report.text)".utf8) + rest)
    }

    /// A `/metrics` response with more metrics.
    func adding(_ metrics: MetricsText) -> OriginResponse {
        guard status == 200 else { return self }
        let added = Array(metrics.text.utf8)
        if case .bytes(let bytes) = body { return with(bytes + added) }
        var response = self
        let length = headers[.contentLength].flatMap { Int($0) } ?? 0
        response.headers[.contentLength] = "\(length + added.count)"
        return response
    }

    private func with(_ bytes: [UInt8]) -> OriginResponse {
        var response = self
        response.body = .bytes(bytes)
        response.headers[.contentLength] = "\(bytes.count)"
        return response
    }
}
