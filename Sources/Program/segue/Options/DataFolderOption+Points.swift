import SegueOrigin
import SegueStores

extension DataFolderOption {
    /// The store for resume positions.
    ///
    /// Without a folder they are kept until the program ends.
    ///
    /// - Throws: ``CommandFailure`` if the given folder or database cannot be used.
    func points() throws -> any ResumePoints {
        if let database = try sharedDatabase() { return SharedPoints(database) }
        guard let folder = data ?? UserData.folder() else {
            StandardError.write("segue: there is no home folder for resume positions; name a folder with --data\n")
            return MemoryResumePoints()
        }
        do throws(StoreError) {
            return try ResumeStore(folder: folder)
        } catch {
            if data != nil { throw CommandFailure(error.path, error.reason) }
            StandardError.write("segue: \(error); resume positions are lost when the server ends\n")
            return MemoryResumePoints()
        }
    }
}
