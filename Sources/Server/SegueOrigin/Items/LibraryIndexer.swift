package import SegueConcurrency
import SegueFFmpeg

/// Scans a library's files in the background.
package struct LibraryIndexer: Sendable {
    let library: Library
    let catalogue: Catalogue
    let metrics: Metrics

    /// Looks for new and removed files.
    package func rescan() { library.rescan() }

    /// Scans each new file, one after another, until cancelled.
    ///
    /// Requests have priority: while some are in flight, one file is scanned for each response.
    package func learn(cancellation: Cancellation, look: (LibraryItem) -> Void) {
        defer { library.storeRecords() }
        let items = library.items
        catalogue.keepOnly(Set(items.map(\.id)))
        for item in items {
            metrics.waitForTurn(cancellation)
            if cancellation.isCancelled { return }
            look(item)
        }
    }

    /// Scans a file, unless that was done since its last change.
    package func look(into item: LibraryItem, cancellation: Cancellation) {
        catalogue.look(into: item, cancellation: cancellation)
        if !cancellation.isCancelled { library.remember(contentOf: item) }
    }

    /// Marks a file as not responding until it changes.
    package func giveUp(_ item: LibraryItem) { catalogue.giveUp(item) }
}
