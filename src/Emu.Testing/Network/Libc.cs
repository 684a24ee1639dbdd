using System.Runtime.InteropServices;

namespace Emu.Testing;

/// <summary>The system calls that .NET has no method for.</summary>
internal static partial class Libc
{
    /// <summary>signal(7): as Ctrl-C sends it.</summary>
    public const int Interrupt = 2;

    /// <summary>signal(7): cannot be caught.</summary>
    public const int ForceKill = 9;

    /// <summary>setns(2): the descriptor is a network namespace.</summary>
    public const int NetworkNamespace = 0x4000_0000;

    /// <summary>kill(2): a negative <paramref name="pid"/> names a process group.</summary>
    /// <returns>0, or -1 when there is none such.</returns>
    [LibraryImport("libc", EntryPoint = "kill")]
    public static partial int Kill(int pid, int signal);

    /// <summary>setns(2): moves the calling thread alone.</summary>
    /// <returns>0, or -1 and an errno.</returns>
    [LibraryImport("libc", EntryPoint = "setns", SetLastError = true)]
    public static partial int SetNamespace(Microsoft.Win32.SafeHandles.SafeFileHandle descriptor, int type);
}
