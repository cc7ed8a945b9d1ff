import SegueOrigin
import SegueStores
import Synchronization

extension DataFolderOption {
    /// The stored ids of files; nil if there is no folder for them.
    ///
    /// Without the ids of earlier runs, a file that was renamed meanwhile has a new id.
    ///
    /// - Throws: ``CommandFailure`` if the given folder or database cannot be used.
    func items() throws -> StoredItems? {
        if let database = try sharedDatabase() {
            let store = SharedItems(database)
            do {
                return StoredItems(try store.records(), store: Self.reportingOnce(store.store))
            } catch {
                throw CommandFailure("--database", "\(error)")
            }
        }
        guard let folder = data ?? UserData.folder() else { return nil }
        do throws(StoreError) {
            let store = try ItemStore(folder: folder)
            return StoredItems(try store.records(), store: Self.reportingOnce(store.store))
        } catch {
            if data != nil { throw CommandFailure(error.path, error.reason) }
            StandardError.write("segue: \(error); files that are renamed while the server is stopped get new ids\n")
            return nil
        }
    }

    /// Reports the first failure of a store: each scan may cause another one.
    private static func reportingOnce(
        _ store: @escaping @Sendable (StoredItems.Change) throws -> Void
    ) -> @Sendable (StoredItems.Change) -> Void {
        let hasReported = Mutex(false)
        return { change in
            do {
                try store(change)
            } catch {
                let isFirst = hasReported.withLock { reported in
                    defer { reported = true }
                    return !reported
                }
                if isFirst { StandardError.write("segue: cannot store the ids of files: \(error)\n") }
            }
        }
    }
}
