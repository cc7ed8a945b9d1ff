extension MediaPlaylist {
    /// Returns a delta update that skips segments at the start (rfc8216bis, 6.2.5.1).
    ///
    /// - Parameters:
    ///   - count: The number of skipped segments, at most all.
    ///   - removed: The IDs of recently removed date ranges if the update skips date ranges; nil to keep all date
    ///     ranges. The caller removes the skipped ones from ``dateRanges``.
    /// - Returns: The update, without the tags that the last skipped segment shares with the following ones.
    public func delta(skipping count: Int, removedDateRanges removed: [String]? = nil) -> MediaPlaylist {
        let count = max(0, min(count, segments.count))
        var delta = self
        delta.segments = Array(segments.dropFirst(count))
        var skip = PlaylistSkip(segments: count, recentlyRemovedDateRanges: removed)
        if count > 0 {
            skip.inherited = delta.inheritance(from: segments[..<count])
            delta.takeOut(skip.inherited)
        }
        delta.skip = skip
        return delta
    }

    private func inheritance(from skipped: ArraySlice<MediaSegment>) -> PlaylistSkip.Inheritance {
        let never = segments.count + 1
        var inherited = PlaylistSkip.Inheritance()
        (inherited.map, inherited.mapKeys, inherited.keys, inherited.bitrate) = (never, never, never, never)
        guard let base = skipped.last else { return inherited }
        let bitrate = skipped.last { $0.bitrate != nil }?.bitrate
        inherited.bitrate = segments.firstIndex { $0.byteRange == nil && $0.bitrate != bitrate } ?? never
        var heads = segments.map { (map: $0.map, keys: $0.keys) }
        if let open { heads.append((open.map, open.keys)) }
        inherited.map = heads.firstIndex { $0.map != base.map } ?? never
        inherited.keys =
            heads.indices.first { index in
                heads[index].keys != base.keys
                    || index >= inherited.map && heads[index].map.map { $0.keys != base.keys } ?? false
            } ?? never
        inherited.mapKeys =
            heads.indices.first { index in
                index >= inherited.keys && index >= inherited.map
                    && (index == inherited.map || index > 0 && heads[index].map != heads[index - 1].map)
            } ?? never
        return inherited
    }

    private mutating func takeOut(_ inherited: PlaylistSkip.Inheritance) {
        for index in segments.indices {
            if index < inherited.map { segments[index].map = nil }
            if index < inherited.mapKeys { segments[index].map?.keys = [] }
            if index < inherited.keys { segments[index].keys = [] }
            if index < inherited.bitrate { segments[index].bitrate = nil }
        }
        if segments.count < inherited.map { open?.map = nil }
        if segments.count < inherited.mapKeys { open?.map?.keys = [] }
        if segments.count < inherited.keys { open?.keys = [] }
    }
}
