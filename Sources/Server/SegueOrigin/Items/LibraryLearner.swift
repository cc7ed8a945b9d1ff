package import SegueConcurrency
import SegueFFmpeg

/// Learns what is in a library's files, one after another, when requests leave time for it.
package struct LibraryLearner: Sendable {
    let library: Library
    let catalogue: Catalogue
    let metrics: Metrics

    /// Looks for files that have come and gone.
    package func rescan() { library.rescan() }

    /// Looks into every file that has not been looked into, one after another, until cancelled.
    ///
    /// Requests come first: while some are being answered, one file is looked into for each answer.
    ///
    /// - Parameters:
    ///   - cancellation: Ends it.
    ///   - look: Looks into a file.
    package func learn(cancellation: Cancellation, look: (LibraryItem) -> Void) {
        let items = library.items
        catalogue.keepOnly(Set(items.map(\.id)))
        for item in items {
            metrics.waitForTurn(cancellation)
            if cancellation.isCancelled { return }
            look(item)
        }
    }

    /// Looks into a file, unless that has been done since it last changed.
    package func look(into item: LibraryItem, cancellation: Cancellation) {
        catalogue.look(into: item, cancellation: cancellation)
    }

    /// Keeps that a file does not answer, so that nobody waits for it again until it changes.
    package func giveUp(_ item: LibraryItem) { catalogue.giveUp(item) }
}
