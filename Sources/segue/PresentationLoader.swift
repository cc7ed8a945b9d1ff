import Conformance
import Fetch
import Foundation
import HLS
import Player

/// Fetches a playlist with all that it leads to, and has it checked.
final class PresentationLoader {
    private let reader: ResourceReader
    private let mostSegments: Int
    private var segmentCount = 0
    private var playlistCount = 0
    /// What the URLs of keys gave.
    private var keys: [String: [UInt8]?] = [:]

    init(mostSegments: Int, patience: Duration) throws {
        self.mostSegments = mostSegments
        reader = try ResourceReader(patience: patience)
    }

    /// Checks a playlist.
    ///
    /// - Parameters:
    ///   - place: An http URL, or a file's path.
    ///   - profile: The texts that count.
    ///   - waivers: What does not count.
    /// - Returns: What was found.
    /// - Throws: ``CommandFailure`` when the playlist cannot be had at all.
    func report(on place: String, profile: Profile, waiving waivers: [Waiver]) throws -> ValidationReport {
        let url = try Self.url(of: place)
        let first = reader.read(url, as: .playlist, isProbed: true)
        if let failure = first.failure { throw CommandFailure(place, failure) }
        if let mistake = MistakenPlaylist.words(first.bytes) { throw CommandFailure(place, mistake) }
        let document = document(first, url: url)
        let findings: [BrokenRule]
        if let multivariant = document.multivariant {
            findings = Validator.findings(subject(document, multivariant))
        } else if document.namesVariants {
            findings = Validator.findings(MultivariantSubject(document: document))
        } else {
            findings = Validator.findings(media(document, isSoundAlone: Self.isBackground(url)))
        }
        return ValidationReport(
            place: place,
            findings: findings,
            profile: profile,
            waivers: waivers,
            playlists: playlistCount,
            segments: segmentCount,
            bytes: reader.bytes
        )
    }

    private static func url(of place: String) throws -> String {
        if ResourceReader.isRemote(place) { return place }
        if place.contains("://"), !place.hasPrefix("file://") {
            throw CommandFailure(place, "not an http or https URL and not a file")
        }
        return place.hasPrefix("file://") ? place : URL(fileURLWithPath: place).absoluteString
    }

    /// Whether the URL is that of an item's sound alone at `segue serve`.
    private static func isBackground(_ url: String) -> Bool {
        url.split(separator: "?").dropFirst().joined().split(separator: "&").contains("background=1")
    }

    private func document(_ resource: ResourceReader.Resource, url: String) -> PlaylistDocument {
        playlistCount += 1
        let again = resource.http == nil ? nil : reader.read(url, as: .playlist).bytes == resource.bytes
        let base = resource.http?.finalURL ?? url
        return PlaylistDocument(url: base, bytes: resource.bytes, http: resource.http, isSameAgain: again)
    }

    private func subject(_ document: PlaylistDocument, _ playlist: MultivariantPlaylist) -> MultivariantSubject {
        var media: [(uri: String, subject: MediaSubject)] = []
        let sound = playlist.renditions.filter { $0.kind == .audio }.compactMap(\.uri)
        let silent = playlist.variants.filter { variant in
            !variant.codecs.isEmpty
                && !variant.codecs.contains { ["avc", "hvc", "hev", "dvh", "av0", "vp0"].contains($0.prefix(3)) }
        }
        let uris = playlist.variants.map(\.uri) + playlist.renditions.compactMap(\.uri)
        for uri in uris where !media.contains(where: { $0.uri == uri }) {
            let url = URIReference.resolve(uri, against: document.url)
            let resource = reader.read(url, as: .playlist, isProbed: true)
            let isSoundAlone = sound.contains(uri) || silent.contains { $0.uri == uri } || Self.isBackground(url)
            media.append((uri, self.media(self.document(resource, url: url), isSoundAlone: isSoundAlone)))
        }
        var iFrames: [(uri: String, subject: MediaSubject)] = []
        for uri in playlist.iFrameVariants.map(\.uri) where !iFrames.contains(where: { $0.uri == uri }) {
            let url = URIReference.resolve(uri, against: document.url)
            let resource = reader.read(url, as: .playlist, isProbed: true)
            iFrames.append((uri, self.media(self.document(resource, url: url), isSoundAlone: false)))
        }
        return MultivariantSubject(document: document, media: media, iFrames: iFrames)
    }

    private func media(_ document: PlaylistDocument, isSoundAlone: Bool) -> MediaSubject {
        var subject = MediaSubject(document: document, isSoundAlone: isSoundAlone)
        guard let playlist = document.media else { return subject }
        var initializations: [MediaMap: InitializationFacts] = [:]
        var unnamed: [String: InitializationFacts] = [:]
        var resources: Set<String> = []
        for (number, entry) in playlist.segments.prefix(mostSegments).enumerated() where !entry.isGap {
            if let map = entry.map, initializations[map] == nil {
                let url = URIReference.resolve(map.uri, against: document.url)
                let range = map.byteRange.map { FetchRange($0) }
                let resource = reader.read(url, as: .initialization, range: range, isProbed: range == nil)
                if let http = resource.http { subject.resources.append(http) }
                let (bytes, sealed) = opened(resource, map.keys, number: nil, url: url, in: document)
                if let sealed { subject.sealed.append(sealed) }
                var facts = InitializationFacts(url: url)
                if let bytes { facts = .inspecting(bytes, url: url) }
                if let failure = resource.failure { facts.failure = failure }
                initializations[map] = facts
                // What HTTP has said already is not said again.
                let isTold = resource.http != nil && resource.failure != nil
                if !isTold, bytes != nil { subject.initializations.append(facts) }
            }
            let url = URIReference.resolve(entry.uri, against: document.url)
            let range = entry.byteRange.map { FetchRange($0) }
            let resource = reader.read(url, as: .segment, range: range, isProbed: number == 0 && range == nil)
            if let http = resource.http { subject.resources.append(http) }
            segmentCount += 1
            guard resource.failure == nil || resource.http == nil else { continue }
            // What is encrypted as a whole cannot be decrypted from the middle.
            guard entry.keys.isEmpty || !playlist.isIFramesOnly || entry.byteRange == nil else { continue }
            let (bytes, sealed) = opened(resource, entry.keys, number: number, url: url, in: document)
            if let sealed { subject.sealed.append(sealed) }
            guard let bytes else { continue }
            if resources.insert(entry.uri).inserted, let range = playlist.unnamedInitialization(of: entry) {
                let head = reader.read(url, as: .initialization, range: FetchRange(range))
                unnamed[entry.uri] = InitializationFacts.inspecting(head.bytes, url: url)
            }
            let initialization = entry.map.flatMap { initializations[$0] } ?? unnamed[entry.uri]
            var facts = SegmentFacts.inspecting(bytes, number: number, url: url, initialization: initialization)
            facts.size = resource.bytes.count
            if let failure = resource.failure { facts.failure = failure }
            subject.segments.append(facts)
        }
        return subject
    }

    /// The bytes of a segment or an initialization section, decrypted where they are encrypted as a whole and the key
    /// can be had; nil where they cannot be looked into.
    private func opened(
        _ resource: ResourceReader.Resource,
        _ keys: [MediaKey],
        number: Int?,
        url: String,
        in document: PlaylistDocument
    ) -> (bytes: [UInt8]?, sealed: SealedFacts?) {
        // What is encrypted sample by sample has its heads in the clear.
        let isSealed = !keys.isEmpty && !keys.contains { $0.method.hasPrefix("SAMPLE-AES") }
        guard isSealed, resource.failure == nil else { return (resource.bytes, nil) }
        guard let key = SegmentCipher.key(of: keys) else { return (nil, nil) }
        let sequence = number.map { (document.media?.mediaSequence ?? 0) &+ $0 }
        let vector = SegmentCipher.vector(of: key, sequence: sequence)
        let cipher = SegmentCipher(key: self.key(URIReference.resolve(key.uri, against: document.url)), vector: vector)
        let (facts, bytes) = cipher.open(resource.bytes, number: number, url: url)
        return (bytes, facts)
    }

    private func key(_ url: String) -> [UInt8]? {
        if let known = keys[url] { return known }
        let resource = reader.read(url, as: .initialization)
        let key = resource.failure == nil ? resource.bytes : nil
        keys[url] = .some(key)
        return key
    }
}
