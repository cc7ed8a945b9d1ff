import Dispatch
import SegueBase
import SegueConcurrency
import SegueFFmpeg

/// A search in the library.
struct ItemFinder: Sendable {
    let library: Library
    let catalogue: Catalogue
    let shelf: Shelf

    /// Returns the items that a query matches and the visitor may see, after scanning files for up to the query's wait.
    ///
    /// - Parameters:
    ///   - played: Returns the last playback times by item id; called if the order needs them.
    /// - Returns: The items of the page, and the total.
    /// - Throws: The error of `played`.
    func find(
        _ query: ItemListQuery,
        for request: OriginRequest,
        played: () throws(OriginFailure) -> [String: Int64] = { () throws(OriginFailure) in [:] },
        _ cancellation: Cancellation
    ) throws(OriginFailure) -> (items: [ItemDocument], total: Int) {
        let matching = shelf.entries(for: request.visitor, byTitle: query.order.isByTitle).filter(query.filter.matches)
        let ordered =
            query.order.isByTitle
            ? matching : query.order.sorted(matching, played: query.order.needsPlayed ? try played() : [:])
        let shown = ordered.dropFirst(query.offset).prefix(query.limit).map(\.item)
        if query.wait > 0 { look(into: shown, for: .seconds(query.wait), cancellation) }
        return (shown.map { ItemDocument($0, catalogue.knowledge(of: $0), below: request.mount) }, matching.count)
    }

    private func look(into items: [LibraryItem], for time: Duration, _ cancellation: Cancellation) {
        let limited = Cancellation(deadline: .now + time)
        let registration = cancellation.whenCancelled { limited.cancel() }
        defer { cancellation.forget(registration) }
        // A deadline does not wake a thread that waits for another thread's scan.
        let end = DispatchWorkItem { limited.cancel() }
        DispatchQueue.global().asyncAfter(deadline: .now() + time.seconds, execute: end)
        defer { end.cancel() }
        // From the end: another thread may be scanning from the start, and both meet.
        for item in items.reversed() where !limited.isCancelled {
            catalogue.look(into: item, cancellation: limited)
        }
    }
}

extension ItemOrder {
    /// True if the shelf has items in this order.
    fileprivate var isByTitle: Bool { self == .by(.title, isDescending: false) }

    /// True if the order needs playback times.
    fileprivate var needsPlayed: Bool {
        if case .by(.recent, _) = self { return true }
        return false
    }
}
