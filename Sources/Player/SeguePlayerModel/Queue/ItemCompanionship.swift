/// The relation of a preloaded item to the current one.
struct ItemCompanionship: Sendable {
    /// The current item, at whose playhead this one loads to replace it.
    let leader: ItemID

    /// The position from which it last loaded; nil for its start.
    var aim: Duration?
}
