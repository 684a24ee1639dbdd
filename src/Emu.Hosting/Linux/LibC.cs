using System.Runtime.InteropServices;

namespace Emu.Hosting;

/// <summary>
/// The calls of the C library that ports make, and their constants, under their C names in the comments. Numbers and
/// layouts are those of Linux on x86-64 and arm64 alike.
/// </summary>
internal static unsafe partial class LibC
{
    // fcntl.h
    public const int ReadWrite = 2;             // O_RDWR
    public const int NonBlocking = 0x800;       // O_NONBLOCK, SOCK_NONBLOCK, EFD_NONBLOCK
    public const int CloseOnExec = 0x8_0000;    // O_CLOEXEC, SOCK_CLOEXEC, EFD_CLOEXEC

    // sys/socket.h
    public const int InternetFamily = 2;        // AF_INET
    public const int PacketFamily = 17;         // AF_PACKET
    public const int DatagramSocket = 2;        // SOCK_DGRAM
    public const int RawSocket = 3;             // SOCK_RAW
    public const int SocketLevel = 1;           // SOL_SOCKET
    public const int SocketError = 4;           // SO_ERROR
    public const int DontWait = 0x40;           // MSG_DONTWAIT

    // sys/mman.h
    public const int ProtectRead = 1;           // PROT_READ
    public const int ProtectWrite = 2;          // PROT_WRITE
    public const int MapShared = 1;             // MAP_SHARED

    // poll.h
    public const short PollIn = 1;              // POLLIN

    // time.h
    public const int RealTimeClock = 0;         // CLOCK_REALTIME

    private const string Library = "libc";

    [LibraryImport(Library, EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags);

    [LibraryImport(Library, EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int descriptor);

    [LibraryImport(Library, EntryPoint = "read", SetLastError = true)]
    public static partial nint Read(int descriptor, void* destination, nuint length);

    [LibraryImport(Library, EntryPoint = "write", SetLastError = true)]
    public static partial nint Write(int descriptor, void* source, nuint length);

    [LibraryImport(Library, EntryPoint = "ioctl", SetLastError = true)]
    public static partial int Ioctl(int descriptor, nuint request, void* argument);

    [LibraryImport(Library, EntryPoint = "socket", SetLastError = true)]
    public static partial int Socket(int family, int type, int protocol);

    [LibraryImport(Library, EntryPoint = "bind", SetLastError = true)]
    public static partial int Bind(int descriptor, void* address, uint length);

    [LibraryImport(Library, EntryPoint = "send", SetLastError = true)]
    public static partial nint Send(int descriptor, void* source, nuint length, int flags);

    [LibraryImport(Library, EntryPoint = "setsockopt", SetLastError = true)]
    public static partial int SetSocketOption(int descriptor, int level, int option, void* value, uint length);

    [LibraryImport(Library, EntryPoint = "getsockopt", SetLastError = true)]
    public static partial int GetSocketOption(int descriptor, int level, int option, void* value, uint* length);

    [LibraryImport(Library, EntryPoint = "mmap", SetLastError = true)]
    public static partial nint Map(nint address, nuint length, int protection, int flags, int descriptor, nint offset);

    [LibraryImport(Library, EntryPoint = "munmap", SetLastError = true)]
    public static partial int Unmap(nint address, nuint length);

    [LibraryImport(Library, EntryPoint = "eventfd", SetLastError = true)]
    public static partial int EventDescriptor(uint initial, int flags);

    [LibraryImport(Library, EntryPoint = "ppoll", SetLastError = true)]
    public static partial int Poll(PollDescriptor* descriptors, nuint count, Timespec* timeout, void* signalMask);

    // Takes some 20 ns in the vDSO and never blocks.
    [SuppressGCTransition]
    [LibraryImport(Library, EntryPoint = "clock_gettime")]
    public static partial int GetTime(int clock, Timespec* time);

    /// <summary>The <c>errno</c> of the last call that failed on this thread.</summary>
    public static int Error => Marshal.GetLastPInvokeError();

    /// <summary>The system's words for an error number.</summary>
    public static string Describe(int error) => Marshal.GetPInvokeErrorMessage(error);

    /// <summary><c>struct timespec</c> (time.h).</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Timespec
    {
        public long Seconds;
        public long Nanoseconds;
    }

    /// <summary><c>struct pollfd</c> (poll.h).</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PollDescriptor
    {
        public int Descriptor;
        public short Events;
        public short ReturnedEvents;
    }
}
