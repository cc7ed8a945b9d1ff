internal import SegueBase
internal import SeguePlaylists

extension PresentationLoader {
    /// The maximum number of clones of a steering manifest that are loaded.
    private static let cloneLimit = 8

    /// Loads the steering manifest of a playlist and the first playlist of each clone; nil if the playlist names no
    /// steering server that the loader may contact.
    func steering(_ document: PlaylistDocument, _ playlist: MultivariantPlaylist) -> SteeringFacts? {
        guard let server = playlist.contentSteering?.serverURI else { return nil }
        let url = URIReference.resolve(server, against: document.url)
        guard RemotePlace.isRemote(url) || (url.hasPrefix("file:") && document.http == nil) else {
            leftOut.append("the steering manifest \(url.prefix(60)): the URL is not http or https")
            return nil
        }
        let resource = reader.read(ResourceReader.Wanted(url: url, role: .playlist))
        guard !resource.isLeftOut else {
            leftOut.append("\(url): \(resource.failure ?? "")")
            return nil
        }
        var facts = SteeringFacts(url: url, bytes: resource.bytes, failure: resource.failure)
        if let manifest = SteeringManifest(String(decoding: resource.bytes, as: UTF8.self)) {
            facts.clones = loaded(manifest.clones, in: document, of: playlist)
        }
        return facts
    }

    /// Loads the first playlist of each clone.
    ///
    /// The base of a clone may be an earlier clone.
    private func loaded(
        _ clones: [SteeringManifest.Clone],
        in document: PlaylistDocument,
        of playlist: MultivariantPlaylist
    ) -> [SteeringFacts.Clone] {
        var firsts: [String: (url: String, stableID: String?)] = [:]
        for variant in playlist.variants where firsts[variant.pathwayID ?? "."] == nil {
            let url = URIReference.resolve(variant.uri, against: document.url)
            firsts[variant.pathwayID ?? "."] = (url, variant.stableID)
        }
        var wanted: [(id: String, url: String)] = []
        for clone in clones.prefix(Self.cloneLimit) {
            guard let base = firsts[clone.baseID] else { continue }
            let url = clone.address(of: base.url, replacedBy: base.stableID.flatMap { clone.variantURIs[$0] })
            if firsts[clone.id] == nil { firsts[clone.id] = (url, base.stableID) }
            if RemotePlace.isRemote(url) { wanted.append((clone.id, url)) }
        }
        let resources = reader.read(wanted.map { ResourceReader.Wanted(url: $0.url, role: .playlist) })
        return zip(wanted, resources).filter { !$1.isLeftOut }.map { clone, resource in
            SteeringFacts.Clone(id: clone.id, url: clone.url, failure: resource.failure)
        }
    }
}
