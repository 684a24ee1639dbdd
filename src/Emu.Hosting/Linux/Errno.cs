namespace Emu.Hosting;

/// <summary>The error numbers that ports tell apart (asm-generic/errno.h).</summary>
internal static class Errno
{
    public const int NotPermitted = 1;          // EPERM
    public const int NoEntry = 2;               // ENOENT
    public const int Interrupted = 4;           // EINTR
    public const int NoSuchAddress = 6;         // ENXIO
    public const int TryAgain = 11;             // EAGAIN
    public const int NoAccess = 13;             // EACCES
    public const int Busy = 16;                 // EBUSY
    public const int NoDevice = 19;             // ENODEV
    public const int Invalid = 22;              // EINVAL
    public const int BadDescriptorState = 77;   // EBADFD
    public const int MessageTooLong = 90;       // EMSGSIZE
    public const int NetworkDown = 100;         // ENETDOWN
}
