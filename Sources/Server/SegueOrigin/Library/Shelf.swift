import Synchronization

/// The library's items with their traits, ready to be searched, sorted, and grouped.
///
/// It is updated on demand, if something has changed.
final class Shelf: Sendable {
    private struct State {
        var generation: UInt64?
        var knowledge: UInt64?
        var entries: [ShelfEntry] = []
        /// The indexes of the entries by item id.
        var places: [String: Int] = [:]
        /// The entries by title, sorted on first use.
        var byTitle: [ShelfEntry]?
    }

    private let library: Library
    private let catalogue: Catalogue
    private let state = Mutex(State())

    init(library: Library, catalogue: Catalogue) {
        (self.library, self.catalogue) = (library, catalogue)
    }

    /// The items that a visitor may see, by root and path.
    ///
    /// - Parameters:
    ///   - isByTitle: True for the order by title.
    /// - Returns: The items.
    func entries(for visitor: Visitor, byTitle isByTitle: Bool = false) -> [ShelfEntry] {
        let entries = state.withLock { state -> [ShelfEntry] in
            bringUpToDate(&state)
            if !isByTitle { return state.entries }
            let sorted = state.byTitle ?? ItemOrder.by(.title, isDescending: false).sorted(state.entries)
            state.byTitle = sorted
            return sorted
        }
        return visitor.seesAll ? entries : entries.filter { visitor.sees($0.item) }
    }

    private func bringUpToDate(_ state: inout State) {
        let (items, generation) = library.listing
        let knowledge = catalogue.version
        if state.generation == generation, state.knowledge == knowledge { return }
        state.byTitle = nil
        if state.generation == generation, let before = state.knowledge, let learnt = catalogue.learnt(since: before) {
            // During the first scan each call finds a few more results, and the rest unchanged.
            for (id, (version, knowledge)) in learnt {
                guard let place = state.places[id] else { continue }
                state.entries[place] = ShelfEntry(state.entries[place].item, knowledge, version: version)
            }
        } else {
            let known = catalogue.all
            let (entries, places) = (state.entries, state.places)
            state.entries = items.map { item in
                let (version, knowledge) = known[item.id] ?? (0, .pending)
                if let place = places[item.id], entries[place].version == version, entries[place].item == item {
                    return entries[place]
                }
                return ShelfEntry(item, knowledge, version: version)
            }
            state.places = Dictionary(
                items.enumerated().map { ($0.element.id, $0.offset) },
                uniquingKeysWith: { first, _ in first }
            )
        }
        (state.generation, state.knowledge) = (generation, knowledge)
    }
}
