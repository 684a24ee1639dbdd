using System.Reflection;
using System.Runtime.InteropServices;

namespace Emu.SharpPcap;

/// <summary>The calls that SharpPcap leaves out, of libpcap under the name that it has on each system.</summary>
internal static partial class LibPcap
{
    /// <summary>PCAP_D_IN: only what arrives, not what is sent.</summary>
    public const int Arriving = 1;

    private const string Name = "pcap";

    /// <summary>By system; Debian has the first name, others the second.</summary>
    private static readonly string[] s_names =
        OperatingSystem.IsWindows() ? ["wpcap"]
        : OperatingSystem.IsMacOS() ? ["libpcap.dylib", "/usr/lib/libpcap.A.dylib"]
        : ["libpcap.so.0.8", "libpcap.so.1", "libpcap.so"];

    static LibPcap() => NativeLibrary.SetDllImportResolver(typeof(LibPcap).Assembly, Find);

    [LibraryImport(Name, EntryPoint = "pcap_setdirection")]
    public static partial int SetDirection(nint handle, int direction);

    /// <summary>A descriptor that polls readable when frames have arrived; -1 for none. Not on Windows.</summary>
    [LibraryImport(Name, EntryPoint = "pcap_get_selectable_fd")]
    public static partial int SelectableDescriptor(nint handle);

    private static nint Find(string name, Assembly assembly, DllImportSearchPath? path)
    {
        foreach (var candidate in name == Name ? s_names : [])
        {
            if (NativeLibrary.TryLoad(candidate, out var library)) return library;
        }
        return 0;
    }
}
