import Synchronization

/// The library with what is known of its items, ready for being searched, sorted and grouped.
///
/// It is brought up to date when somebody asks, and only where something has changed.
final class Shelf: Sendable {
    private struct State {
        var generation: UInt64?
        var knowledge: UInt64?
        var entries: [ShelfEntry] = []
        /// Where in them an item is, by its id.
        var places: [String: Int] = [:]
        /// They by title, once somebody has asked for them so.
        var byTitle: [ShelfEntry]?
    }

    private let library: Library
    private let catalogue: Catalogue
    private let state = Mutex(State())

    /// A shelf of a library.
    init(library: Library, catalogue: Catalogue) {
        (self.library, self.catalogue) = (library, catalogue)
    }

    /// The items that somebody may see, by root and path: whatever lists items begins here.
    ///
    /// - Parameters:
    ///   - visitor: Who asks.
    ///   - isByTitle: By title instead.
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
            // While files are looked into, each question finds some more of them known, and all others as they were.
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
