import Foundation
import SegueBase
import SeguePlaylists

extension Expectation {
    /// The header field is absent.
    static func noHeader(_ name: String) -> Expectation {
        Expectation("no \(name)") { $0.header(name.lowercased()).map { "\(name) is '\($0)'" } }
    }

    /// The body is an error: an object with a code and a one-line message.
    ///
    /// `code` is the code; nil for any. `word` is a word in the message; nil for any.
    static func error(_ code: String?, naming word: String? = nil) -> Expectation {
        let shown = [code ?? "an error", word.map { "naming \($0)" }].compactMap { $0 }.joined(separator: " ")
        return Expectation(shown) { answer in
            guard answer.header("content-type")?.hasPrefix("application/json") ?? false else {
                return "the error's Content-Type is \(answer.header("content-type") ?? "missing")"
            }
            guard let error = try? JSONDecoder().decode(ErrorBody.self, from: Data(answer.body)).error else {
                return "the error's body has no code and message"
            }
            if let code, error.code != code { return "the error's code is '\(error.code)'" }
            if error.message.isEmpty || error.message.contains(where: \.isNewline) {
                return "the error's message is not one line"
            }
            if let word, !error.message.contains(word) { return "the error does not name \(word): \(error.message)" }
            return nil
        }
    }

    /// The body is a complete media playlist with segments.
    static let mediaPlaylist = Expectation("a media playlist") { answer in
        switch Result(catching: { () throws(PlaylistError) in try Playlist.parse(answer.body) }) {
        case .success(.media(let playlist)):
            if playlist.segments.isEmpty { return "the playlist has no segments" }
            if !playlist.hasEndList { return "the playlist has no EXT-X-ENDLIST" }
            let long = playlist.segments.first { $0.duration.rounded(scale: 1) > playlist.targetDuration }
            return long.map { "\($0.uri) is longer than the target duration" }
        case .success(.multivariant): return "the body is a multivariant playlist"
        case .failure(let error): return "\(error)"
        }
    }

    /// The body is a multivariant playlist with variants.
    static let multivariantPlaylist = Expectation("a multivariant playlist") { answer in
        switch Result(catching: { () throws(PlaylistError) in try Playlist.parse(answer.body) }) {
        case .success(.multivariant(let playlist)):
            playlist.variants.isEmpty ? "the playlist has no variants" : nil
        case .success(.media): "the body is a media playlist"
        case .failure(let error): "\(error)"
        }
    }

    /// The body is media: an initialization section or samples, with or without video.
    static func media(video: Bool? = nil, after initialization: SegmentInspection? = nil) -> Expectation {
        let text =
            switch video {
            case nil: "media"
            case true?: "media with video"
            case false?: "media without video"
            }
        return Expectation(text) { answer in
            do throws(SegmentError) {
                let found = try SegmentInspector.inspect(answer.body, initialization: initialization)
                if let video, found.hasVideo != video {
                    return "the media has \(found.hasVideo ? "video" : "no video")"
                }
                return found.hasMedia || found.hasInitialization ? nil : "the media is empty"
            } catch {
                return "\(error)"
            }
        }
    }

    /// The body begins with one of these byte sequences.
    static func begins(_ ways: [[UInt8]], _ what: String) -> Expectation {
        Expectation(what) { answer in
            ways.contains { answer.body.starts(with: $0) } ? nil : "the body does not begin as \(what) does"
        }
    }

    /// The body contains all of these byte sequences in this order.
    static func holds(_ stretches: [ArraySlice<UInt8>]) -> Expectation {
        Expectation("these parts") { answer in
            var rest = answer.body[...]
            for stretch in stretches {
                guard let found = rest.firstRange(of: stretch) else { return "a part is missing" }
                rest = rest[found.upperBound...]
            }
            return nil
        }
    }

    /// The body is a JSON object with these fields.
    static func fields(_ names: [String]) -> Expectation {
        Expectation("JSON with \(names.joined(separator: ", "))") { answer in
            guard let object = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any] else {
                return "the body is not a JSON object"
            }
            let missing = names.filter { object[$0] == nil }
            return missing.isEmpty ? nil : "missing: \(missing.joined(separator: ", "))"
        }
    }

    private struct ErrorBody: Decodable {
        struct Detail: Decodable {
            var code: String
            var message: String
        }

        var error: Detail
    }
}
