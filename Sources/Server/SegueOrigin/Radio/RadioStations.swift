import HTTPTypes
import SegueBase
import SegueFFmpeg
import Synchronization

/// The running stations, each shared by its listeners.
final class RadioStations: Sendable {
    private struct Key: Hashable {
        var folder: String
        var format: RadioFormat
        var seed: Int?
        /// The folders that its listeners may see; nil for all.
        var folders: [String]?
    }

    private struct Running {
        var station: RadioStation
        /// The client that started it.
        var starter: String
    }

    /// The maximum number of stations that one client may start.
    static let mostOfOne = 8

    /// The maximum number of running stations: each takes a thread and about 1 % of a processor.
    private let most: Int

    private let stations = Mutex<[Key: Running]>([:])

    private let files: any FileWork

    init(most: Int = 64, files: any FileWork = OwnFileWork()) { (self.most, self.files) = (most, files) }

    /// Returns the station of a folder, running.
    ///
    /// - Parameters:
    ///   - folder: The folder with its subfolders; empty for the whole library.
    ///   - seed: The seed of a shuffle; nil for the library's order.
    ///   - visitor: The listener, who hears only the files they may see.
    ///   - client: The listener's address range.
    /// - Returns: The station.
    /// - Throws: ``OriginFailure`` if there are no files, or too many stations.
    func station(
        folder: String,
        format: RadioFormat,
        seed: Int?,
        in library: Library,
        for visitor: Visitor = Visitor(),
        client: String = ""
    ) throws(OriginFailure) -> RadioStation {
        var items = library.items(for: visitor).filter {
            folder.isEmpty || $0.folder == folder || $0.folder.hasPrefix(folder + "/")
        }
        guard !items.isEmpty else {
            let place: ErrorSentence = folder.isEmpty ? "the library" : "the folder '\(folder)'"
            throw .unservable("noItems", "\(place) has no files to play; /api/items lists all files")
        }
        if let seed {
            var random = SeededRandom(seed: UInt64(bitPattern: Int64(seed)))
            items.shuffle(using: &random)
        }
        let key = Key(folder: folder, format: format, seed: seed, folders: visitor.folders)
        let name = folder.isEmpty ? "Segue" : folder
        let station = stations.withLock { stations -> RadioStation? in
            stations = stations.filter { !$0.value.station.isIdle }
            if let running = stations[key] {
                running.station.start()
                return running.station
            }
            guard stations.count < most, stations.values.count(where: { $0.starter == client }) < Self.mostOfOne else {
                return nil
            }
            let station = RadioStation(name: name, format: format, items: items, files: files)
            stations[key] = Running(station: station, starter: client)
            // It starts before another call can remove it as idle.
            station.start()
            return station
        }
        guard let station else {
            let message: ErrorSentence =
                "too many radio stations are running: at most \(most), and \(Self.mostOfOne) of one client; try again later"
            throw OriginFailure.unavailable("tooManyStations", retryAfter: 60, message)
        }
        return station
    }

    func stop() { for running in stations.withLock({ Array($0.values) }) { running.station.stop() } }
}
