import SeguePackager

extension Query {
    /// The requested device, or nil without such a parameter.
    ///
    /// - Throws: ``OriginFailure`` with 400 and the nearest name if the device is unknown.
    func device(_ devices: Devices) throws(OriginFailure) -> DeviceProfile? {
        guard let name = try text("device") else { return nil }
        do {
            return try devices.named(name)
        } catch {
            throw .badQuery("device", "\(error)")
        }
    }
}
