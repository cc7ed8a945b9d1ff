internal import SegueData
internal import SegueProxy

/// Why a request to the control API is refused.
struct ControlFailure: Error {
    let status: Int
    let code: String
    let message: String

    init(_ status: Int, _ code: String, _ message: String) {
        (self.status, self.code, self.message) = (status, code, message)
    }

    /// What an error of proxy or data means for one who asks over HTTP.
    init(_ error: any Error) {
        switch error {
        case let failure as ControlFailure: self = failure
        case let error as HarnessError: self.init(400, "badRequest", "\(error)")
        case let error as ProxyError:
            switch error.reason {
            case .unknownName: self.init(404, "unknownLink", "\(error)")
            case .nameTaken: self.init(409, "nameTaken", "\(error)")
            case .addressInUse: self.init(409, "addressInUse", "\(error)")
            case .noSuchAddress, .notPermitted: self.init(400, "badAddress", "\(error)")
            case .ended: self.init(503, "ended", "\(error)")
            case .other: self.init(500, "failed", "\(error)")
            }
        default: self.init(500, "failed", "\(error)")
        }
    }
}
