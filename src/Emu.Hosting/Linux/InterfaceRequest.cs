using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Emu.Hosting;

/// <summary><c>struct ifreq</c> (linux/if.h): an interface's name, and a value that depends on the request.</summary>
[StructLayout(LayoutKind.Explicit, Size = 40)]
internal unsafe struct InterfaceRequest
{
    /// <summary>The longest name of an interface in bytes: IFNAMSIZ without the 0 behind it.</summary>
    public const int MaxNameLength = 15;

    [FieldOffset(0)]
    private NameBytes _name;

    /// <summary>The value as flags.</summary>
    [FieldOffset(16)]
    public ushort Flags;

    /// <summary>The value as a number: an MTU, an index.</summary>
    [FieldOffset(16)]
    public int Number;

    /// <summary>The value as the family of a <c>sockaddr</c>: the interface's hardware type.</summary>
    [FieldOffset(16)]
    public ushort HardwareType;

    /// <summary>The value as a pointer.</summary>
    [FieldOffset(16)]
    public void* Data;

    [InlineArray(MaxNameLength + 1)]
    private struct NameBytes
    {
        private byte _first;
    }

    /// <summary>A request about the interface of this name, which is known to be valid.</summary>
    public InterfaceRequest(string name)
    {
        this = default;
        Encoding.UTF8.TryGetBytes(name, _name, out _);
    }

    /// <summary>True if an interface can be called so (dev_valid_name of the kernel; % would be a pattern).</summary>
    public static bool IsValidName(string name) =>
        name.Length > 0 && Encoding.UTF8.GetByteCount(name) <= MaxNameLength && name is not ("." or "..")
        && !name.Any(c => c is '/' or ':' or '%' or '\0' || char.IsWhiteSpace(c));
}
