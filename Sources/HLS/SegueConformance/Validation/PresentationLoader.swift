internal import Foundation
internal import SegueBase
package import SegueFetch
internal import SeguePlaylists

/// Fetches a playlist with all resources that it names, and validates them.
package final class PresentationLoader {
    let options: ValidationOptions
    private let place: String
    private let url: String
    let reader: ResourceReader
    private var segmentCount = 0
    private var playlistCount = 0
    var leftOut: [String] = []

    /// The maximum number of playlists whose pictures are compared, as a bound for hostile playlists.
    private static let mostFilms = 24

    /// A loader.
    ///
    /// - Parameters:
    ///   - place: An http URL or the path of a file.
    ///   - fetcher: The client for remote resources.
    ///   - options: The limits of the validation.
    /// - Throws: ``ValidationFailure`` for another place.
    package init(
        _ place: String,
        by fetcher: any TimedFetching,
        options: ValidationOptions = ValidationOptions()
    ) throws {
        (self.place, self.options) = (place, options)
        if RemotePlace.isRemote(place) {
            url = place
        } else {
            guard !place.contains("://") || place.hasPrefix("file://") else {
                throw ValidationFailure(place, "not an http or https URL and not a file")
            }
            url = place.hasPrefix("file://") ? place : URL(fileURLWithPath: place).absoluteString
        }
        reader = ResourceReader(for: url, by: fetcher, options: options)
    }

    /// Validates the playlist and returns the report.
    ///
    /// - Throws: ``ValidationFailure`` if the playlist cannot be loaded.
    package func report(profile: Profile = .all, waiving waivers: [Waiver] = []) throws -> ValidationReport {
        let look = try look()
        return ValidationReport(
            place: place,
            findings: look.findings,
            profile: profile,
            waivers: waivers,
            extent: look.extent,
            leftOut: look.leftOut
        )
    }

    /// Validates the playlist and its resources once, without a profile and waivers.
    ///
    /// - Throws: ``ValidationFailure`` if the playlist cannot be loaded.
    package func look() throws -> ValidationLook {
        let all = try allFindings()
        return ValidationLook(
            findings: options.judgesDelivery ? all : all.filter { $0.rule.section != .delivery },
            extent: ValidationReport.Extent(playlists: playlistCount, segments: segmentCount, bytes: reader.bytes),
            leftOut: leftOut
        )
    }

    private func allFindings() throws -> [BrokenRule] {
        let first = reader.read(ResourceReader.Wanted(url: url, role: .playlist, isProbed: true))
        // An incomplete playlist is validated, with a finding for the rest.
        if let failure = first.failure, first.http?.get.isThere != true || first.http?.get.trouble == .tooLarge {
            throw ValidationFailure(place, failure.text)
        }
        if first.failure == nil, let mistake = MistakenPlaylist.description(of: first.bytes) {
            throw ValidationFailure(place, mistake)
        }
        let document = document(first, url: url)
        if let multivariant = document.multivariant {
            var subject = subject(document, multivariant)
            subject.steering = steering(document, multivariant)
            return Validator.findings(subject)
        }
        return document.namesVariants
            ? Validator.findings(MultivariantSubject(document: document))
            : Validator.findings(media(document, isAudioOnly: Self.isBackground(url)))
    }

    /// Returns true for the URL of an audio-only item of `segue serve`.
    private static func isBackground(_ url: String) -> Bool {
        url.split(separator: "?").dropFirst().joined().split(separator: "&").contains("background=1")
    }

    private func document(
        _ resource: ResourceReader.Resource,
        url: String,
        importing imports: [String: String]? = nil
    ) -> PlaylistDocument {
        playlistCount += 1
        let plain = resource.http?.plain
        let base = resource.http?.finalURL ?? url
        return PlaylistDocument(
            url: base,
            bytes: resource.bytes,
            http: resource.http,
            isSameAgain: plain?.isThere == true ? plain?.isTrue : nil,
            importing: imports,
            absence: resource.failure
        )
    }

    /// Loads the playlists of some URIs, each once, in order, up to the limit.
    private func documents(
        _ uris: [String],
        of document: PlaylistDocument,
        handingDown variables: [String: String]
    ) -> [(uri: String, document: PlaylistDocument)] {
        var known: Set<String> = []
        let all = uris.filter { known.insert($0).inserted }
        let kept = all.prefix(max(0, options.mostPlaylists - playlistCount + 1))
        if kept.count < all.count {
            leftOut.append("\(all.count - kept.count) playlists: over the limit of \(options.mostPlaylists)")
        }
        let wanted = kept.map { uri in
            let url = URIReference.resolve(uri, against: document.url)
            return ResourceReader.Wanted(url: url, role: .playlist, isProbed: true)
        }
        return zip(kept, zip(wanted, reader.read(wanted))).compactMap { uri, pair in
            let (wanted, resource) = pair
            guard !resource.isLeftOut else {
                leftOut.append("\(wanted.url): \(resource.failure ?? "")")
                return nil
            }
            return (uri, self.document(resource, url: wanted.url, importing: variables))
        }
    }

    private func subject(_ document: PlaylistDocument, _ playlist: MultivariantPlaylist) -> MultivariantSubject {
        let audio = Set(playlist.renditions.filter { $0.kind == .audio }.compactMap(\.uri))
        let audioVariants = playlist.variants.filter { variant in
            !variant.codecs.isEmpty
                && !variant.codecs.contains { ["avc", "hvc", "hev", "dvh", "av0", "vp0"].contains($0.prefix(3)) }
        }
        let audioOnly = audio.union(audioVariants.map(\.uri))
        let uris = playlist.variants.map(\.uri) + playlist.renditions.compactMap(\.uri)
        let media = documents(uris, of: document, handingDown: playlist.variables)
        let iFrames = documents(
            playlist.iFrameVariants.map(\.uri),
            of: document,
            handingDown: playlist.variables
        )
        // Pictures of one playlist have none to be compared with.
        let films = playlist.variants.map(\.uri).filter { !audioOnly.contains($0) }
        let all = films + playlist.iFrameVariants.map(\.uri)
        let filmed = Set(Set(all).count > 1 ? all.prefix(Self.mostFilms) : [])
        let spots = media.first { films.contains($0.uri) }?.document.media.map(PictureSpots.init(of:)) ?? PictureSpots()
        return MultivariantSubject(
            document: document,
            media: media.map { uri, document in
                let isAudioOnly = audioOnly.contains(uri) || Self.isBackground(document.url)
                let isFilm = !isAudioOnly && filmed.contains(uri)
                return (uri, self.media(document, isAudioOnly: isAudioOnly, pictures: isFilm ? spots : PictureSpots()))
            },
            iFrames: iFrames.map { uri, document in
                let isCompared = filmed.contains(uri)
                return (uri, self.media(document, isAudioOnly: false, pictures: isCompared ? spots : PictureSpots()))
            }
        )
    }

    private func media(
        _ document: PlaylistDocument,
        isAudioOnly: Bool,
        pictures: PictureSpots = PictureSpots()
    ) -> MediaSubject {
        var subject = MediaSubject(document: document, isAudioOnly: isAudioOnly)
        guard let playlist = document.media else { return subject }
        let load = SegmentLoad(document, reader: reader, pictures: pictures)
        let entries = Array(playlist.segments.prefix(options.mostSegments).enumerated()).filter { !$0.element.isGap }
        // With segments of another component, which the next one may be, each is loaded alone.
        let width = options.inspected == nil ? options.width : 1
        var (next, others) = (0, 0)
        while next < entries.count, !reader.isOver, reader.bytes < options.mostBytes {
            if load.addInspected(entries[next].element, number: entries[next].offset, into: &subject) {
                next += 1
                continue
            }
            guard others < options.mostOthers else { break }
            let some = entries[next..<min(entries.count, next + width)]
            next += some.count
            others += some.count
            load.fetch(some.map { ($0.offset, $0.element) }, into: &subject)
        }
        if next < entries.count, others < options.mostOthers {
            let reason =
                reader.isOver ? "the time limit was reached" : "over the limit of \(options.mostBytes) bytes"
            leftOut.append("\(entries.count - next) segments of \(document.url): \(reason)")
        }
        load.repeatRequests(&subject)
        subject.decoded = load.decoded
        segmentCount += load.count
        leftOut += load.leftOut
        return subject
    }
}
