import ArgumentParser
import SeguePackager
import SegueStores

/// The option for the location of file indexes.
struct IndexCacheOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder for file indexes, with which files open faster the next time; 'none' for no cache.",
            discussion: "The default of serve is ~/.cache/segue; probe has no cache by default.",
            valueName: "dir|none"
        )
    )
    var indexCache: String?

    /// Opens the cache.
    ///
    /// `folder` is the default. Returns nil for no cache.
    func keeper(byDefault folder: String?) -> (any IndexKeeping)? {
        guard let folder = indexCache ?? folder, folder != "none" else { return nil }
        return IndexStore(folder: folder) { StandardError.write("segue: \($0)\n") }
    }
}
