internal import SegueData
internal import SegueProxy

/// A rejected request to the control API.
struct ControlFailure: Error {
    let status: Int
    let code: String
    let message: String

    init(_ status: Int, code: String, _ message: String) {
        (self.status, self.code, self.message) = (status, code, message)
    }

    /// Creates the failure for an error of the proxy or the data.
    init(_ error: any Error) {
        switch error {
        case let failure as ControlFailure: self = failure
        case let error as HarnessError: self.init(400, code: "badRequest", "\(error)")
        case let error as ProxyError:
            switch error.reason {
            case .unknownName: self.init(404, code: "unknownLink", "\(error)")
            case .nameTaken: self.init(409, code: "nameTaken", "\(error)")
            case .addressInUse: self.init(409, code: "addressInUse", "\(error)")
            case .noSuchAddress, .notPermitted: self.init(400, code: "badAddress", "\(error)")
            case .ended: self.init(503, code: "ended", "\(error)")
            case .other: self.init(500, code: "failed", "\(error)")
            }
        default: self.init(500, code: "failed", "\(error)")
        }
    }
}
