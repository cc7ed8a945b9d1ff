/// A file of resume positions or ids that cannot be used.
package struct StoreError: Error, CustomStringConvertible {
    package var path: String
    package var reason: String

    package var description: String { "\(path): \(reason)" }

    init(_ failure: PrivateDatabase.Failure) { (path, reason) = (failure.path, failure.reason) }
}
