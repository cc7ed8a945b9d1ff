import SegueOrigin
import SegueStores

extension DataFolderOption {
    /// What keeps where people stopped; where there is no place for it, only until the program ends.
    ///
    /// - Throws: ``CommandFailure`` where the folder or the database that is named cannot be used.
    func points() throws -> any ResumePoints {
        if let database = try sharedDatabase() { return SharedPoints(database) }
        guard let folder = data ?? UserData.folder() else {
            StandardError.write("segue: there is no home in which to keep where people stopped; name one with --data\n")
            return PassingResumePoints()
        }
        do throws(ResumeStoreError) {
            return try ResumeStore(folder: folder)
        } catch {
            if data != nil { throw CommandFailure(error.path, error.reason) }
            StandardError.write("segue: \(error); where people stopped is forgotten when the server ends\n")
            return PassingResumePoints()
        }
    }
}
