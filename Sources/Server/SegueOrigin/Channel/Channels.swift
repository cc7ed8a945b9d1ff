import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SeguePlaylists
import Synchronization

/// The most recently used channels; each is composed once a day.
final class Channels: Sendable {
    /// A channel and its titles.
    struct Station: Sendable {
        var programme: ChannelProgramme
        /// The titles, by the names of the programme's eras.
        var lineups: [String: ChannelLineup]
        /// The day of the last composition, counted from 1970.
        var day: Int64

        /// The titles that play now, or next.
        var lineup: ChannelLineup? { programme.eras.last.flatMap { lineups[$0.name] } }

        func title(of entry: ChannelProgramme.Entry) -> (item: LibraryItem, title: ChannelLineup.Title)? {
            lineups[programme.eras[entry.era].name]?.titles[entry.place.title]
        }
    }

    private struct Key: Hashable {
        var folder: String
        /// The folders that its viewers may see; nil for all.
        var folders: [String]?
    }

    private struct State {
        var stations = LeastRecentlyUsed<Key, Station>(limit: Channels.most)
        var known = LeastRecentlyUsed<FileIdentity, ChannelLineup.Title>(limit: Channels.partLimit)
        var variants = LeastRecentlyUsed<String, Variant>(limit: 2 * Channels.most)
        var renewed: Set<Key> = []
    }

    private static let most = 32
    /// The maximum number of cached parts, about 10 MB.
    private static let partLimit = 1_000_000
    /// The maximum number of titles of a channel.
    private static let titleLimit = 1000
    /// The maximum duration of a round in microseconds: a week.
    private static let longest: Int64 = 7 * 86_400_000_000

    /// The maximum duration of a part in microseconds.
    let partTarget: Int64
    private let opener: ItemOpener
    private let note: @Sendable (String) -> Void
    private let state = Mutex(State())
    private let openings = SingleFlight<Key, Station>()
    private let descriptions = SingleFlight<String, Variant>()

    /// - Parameters:
    ///   - partTarget: The maximum duration of a part, in microseconds.
    ///   - note: Receives a sentence for each title that is left out.
    init(opener: ItemOpener, partTarget: Int64 = 500_000, note: @escaping @Sendable (String) -> Void = { _ in }) {
        (self.opener, self.partTarget, self.note) = (opener, partTarget, note)
    }

    /// Returns the channel of a folder.
    ///
    /// The first request composes the channel, which opens its titles; so does the first request of another day.
    /// Requests in the meantime get the previous composition.
    ///
    /// - Parameters:
    ///   - folder: The folder with its subfolders; empty for the whole library.
    ///   - visitor: The viewer, who sees only the folders of their key.
    ///   - cancellation: Stops the work of this caller.
    /// - Returns: The channel.
    /// - Throws: ``OriginFailure`` if no title can be played.
    func station(
        of folder: String,
        for visitor: Visitor,
        at time: ChannelTime,
        _ cancellation: Cancellation
    ) throws -> Station {
        let key = Key(folder: folder, folders: visitor.folders)
        let (known, isMine) = state.withLock { state -> (Station?, Bool) in
            guard let known = state.stations.value(for: key) else { return (nil, false) }
            return (known, known.day < time.day && state.renewed.insert(key).inserted)
        }
        if let known {
            guard isMine else { return known }
            defer { state.withLock { _ = $0.renewed.remove(key) } }
            // The next request tries again.
            let target = known.programme.targetDuration
            guard let lineup = try? lineup(of: folder, for: visitor, target: target, cancellation) else { return known }
            let renewed = known.playing(lineup, at: time)
            keep(renewed, for: key)
            return renewed
        }
        return try openings.value(for: key, cancellation: cancellation) { work in
            if let known = self.state.withLock({ $0.stations.value(for: key) }) { return known }
            let lineup = try self.lineup(of: folder, for: visitor, target: nil, work)
            let schedule = ChannelSchedule(titles: lineup.titles.map(\.title.cuts))
            let programme = ChannelProgramme(schedule, name: lineup.name, partTarget: self.partTarget)
            let station = Station(programme: programme, lineups: [lineup.name: lineup], day: time.day)
            self.keep(station, for: key)
            return station
        }
    }

    /// Returns the description of a rendition for the multivariant playlist, which is computed once.
    ///
    /// - Parameters:
    ///   - name: A name that no other rendition of other titles has.
    ///   - cancellation: Stops the work of this caller.
    /// - Returns: The description.
    /// - Throws: The error of `describe`, or ``OriginFailure`` if the caller is cancelled.
    func variant(
        _ name: String,
        _ cancellation: Cancellation,
        describe: (Cancellation) throws -> Variant
    ) throws -> Variant {
        if let known = state.withLock({ $0.variants.value(for: name) }) { return known }
        return try descriptions.value(for: name, cancellation: cancellation) { work in
            let variant = try describe(work)
            self.state.withLock { _ = $0.variants.insert(variant, for: name, cost: 1) }
            return variant
        }
    }

    private func keep(_ station: Station, for key: Key) {
        state.withLock { _ = $0.stations.insert(station, for: key, cost: 1) }
    }

    private func lineup(
        of folder: String,
        for visitor: Visitor,
        target: Int?,
        _ cancellation: Cancellation
    ) throws -> ChannelLineup {
        let place: ErrorSentence = folder.isEmpty ? "the library" : "the folder '\(folder)'"
        let items = opener.library.items(for: visitor).filter {
            folder.isEmpty || $0.folder == folder || $0.folder.hasPrefix(folder + "/")
        }
        guard !items.isEmpty else {
            throw OriginFailure.unservable(
                "noItems",
                "\(place) has no files to play; /api/items lists all files"
            )
        }
        var titles: [(item: LibraryItem, title: ChannelLineup.Title)] = []
        var length: Int64 = 0
        for item in items {
            guard titles.count < Self.titleLimit, length < Self.longest else {
                note(
                    "channel of \(place.text): left out \(item.path) and all after it: the channel has reached its maximum duration"
                )
                break
            }
            do {
                let title = try title(of: item, cancellation)
                if let target, title.cuts.targetDuration > target {
                    note("channel of \(place.text): left out \(item.path): a segment is longer than \(target) s")
                    continue
                }
                titles.append((item, title))
                length += title.cuts.microseconds
            } catch {
                let failure = OriginFailure(error, item: item)
                if cancellation.isCancelled { throw failure }
                note("channel of \(place.text): left out \(failure.message)")
            }
        }
        guard !titles.isEmpty else {
            throw OriginFailure.unservable(
                "nothingPlayable",
                "no file of \(place) can be played in a channel"
            )
        }
        return ChannelLineup(titles, partTarget: partTarget)
    }

    private func title(of item: LibraryItem, _ cancellation: Cancellation) throws -> ChannelLineup.Title {
        let identity = try opener.version(of: item)
        if let known = state.withLock({ $0.known.value(for: identity) }) { return known }
        let presentation = try opener.presentation(of: item, for: .any, in: .fmp4, cancellation)
        let title = try ChannelLineup.Title(presentation, partTarget: partTarget, cancellation)
        let parts = title.cuts.segments.reduce(0) { $0 + $1.parts.count }
        state.withLock { _ = $0.known.insert(title, for: identity, cost: parts) }
        return title
    }
}

extension Channels.Station {
    /// The station with new titles, or unchanged if the titles are the same.
    fileprivate func playing(_ lineup: ChannelLineup, at time: ChannelTime) -> Channels.Station {
        var station = self
        station.day = time.day
        guard programme.eras.last?.name != lineup.name else { return station }
        station.programme.change(to: lineup.titles.map(\.title.cuts), name: lineup.name, at: time)
        station.lineups[lineup.name] = lineup
        let names = Set(station.programme.eras.map(\.name))
        station.lineups = station.lineups.filter { names.contains($0.key) }
        return station
    }
}
