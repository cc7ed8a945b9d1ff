import ArgumentParser
import SeguePackager
import SegueStores

/// The option that says where it is kept what reading files shows.
struct IndexCacheOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where to keep what reading files shows, so that they open at once the next time; 'none' for nowhere.",
            discussion: "serve keeps it in segue's folder under your caches, probe nowhere.",
            valueName: "dir|none"
        )
    )
    var indexCache: String?

    /// Opens what keeps things.
    ///
    /// - Parameter folder: Where they are kept, unless the option says otherwise.
    /// - Returns: Keeps what reading files shows; nil for nobody.
    func keeper(byDefault folder: String?) -> (any IndexKeeping)? {
        guard let folder = indexCache ?? folder, folder != "none" else { return nil }
        return IndexStore(folder: folder) { StandardError.write("segue: \($0)\n") }
    }
}
