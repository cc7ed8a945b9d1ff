import Dispatch
import SegueBase
import SegueConcurrency
import SegueFFmpeg

/// Finds items of the library by what is asked for, and what is known of them.
struct ItemFinder: Sendable {
    let library: Library
    let catalogue: Catalogue
    let shelf: Shelf

    /// The items that are asked for, of those that whoever asks may see, looked into as far as the query's patience goes.
    ///
    /// - Parameters:
    ///   - query: What is asked for.
    ///   - request: Who asks.
    ///   - played: When they last played items, by their ids; asked where the order needs it.
    ///   - cancellation: Ends the looking.
    /// - Returns: The items that are to be shown, and how many there are in all.
    /// - Throws: What `played` throws.
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
        // A deadline wakes nobody who waits for another's look.
        let end = DispatchWorkItem { limited.cancel() }
        DispatchQueue.global().asyncAfter(deadline: .now() + time.seconds, execute: end)
        defer { end.cancel() }
        // From the end, as somebody else may be looking from the beginning; so the two meet.
        for item in items.reversed() where !limited.isCancelled {
            catalogue.look(into: item, cancellation: limited)
        }
    }
}

extension ItemOrder {
    /// Whether the shelf has items in this order.
    fileprivate var isByTitle: Bool { self == .by(.title, isDescending: false) }

    /// Whether it takes to know when items were last played.
    fileprivate var needsPlayed: Bool {
        if case .by(.recent, _) = self { return true }
        return false
    }
}
