import Dispatch
import Media
import Timeline

/// Finds items of the library by what is asked for, and what is known of them.
struct ItemFinder: Sendable {
    let library: Library
    let catalogue: Catalogue

    /// The items that are asked for, looked into as far as the query's patience goes.
    func find(_ query: ItemListQuery, _ cancellation: Cancellation) -> (items: [ItemDocument], total: Int) {
        let matching = library.items.filter { query.matches($0, catalogue.knowledge(of: $0)) }
        let shown = matching.dropFirst(query.offset).prefix(query.limit)
        if query.wait > 0 { look(into: shown, for: .seconds(query.wait), cancellation) }
        return (shown.map { ItemDocument($0, catalogue.knowledge(of: $0)) }, matching.count)
    }

    private func look(into items: ArraySlice<LibraryItem>, for time: Duration, _ cancellation: Cancellation) {
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
