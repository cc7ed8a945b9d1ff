/// A file of resume positions or ids that cannot be used.
package struct StoreError: Error, CustomStringConvertible {
    package var path: String
    package var reason: String

    package var description: String { "\(path): \(reason)" }

    private init(_ failure: PrivateDatabase.Failure) { (path, reason) = (failure.path, failure.reason) }

    /// Does work on a database, and throws its failures as errors of a store.
    static func attempt<Value>(_ work: () throws(PrivateDatabase.Failure) -> Value) throws(StoreError) -> Value {
        do throws(PrivateDatabase.Failure) {
            return try work()
        } catch {
            throw StoreError(error)
        }
    }
}
